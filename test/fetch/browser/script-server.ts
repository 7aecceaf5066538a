import { inject } from 'vitest'
import type { Logged, Script, ScriptedAnswer } from './browser-servers.ts'

/** A path on one of the two servers, with its own response script. */
export interface Place {
  origin: string
  url: string
  /** The received requests. */
  log: () => Promise<Logged[]>
}

/** @param which of the two origins. */
export async function script(
  which: 0 | 1,
  answers: readonly ScriptedAnswer[],
  preflights?: Script['preflights'],
): Promise<Place> {
  const origin = inject('origins')[which]
  const id = crypto.randomUUID()
  await fetch(`${origin}/script/${id}`, { method: 'POST', body: JSON.stringify({ answers, preflights }) })
  return {
    origin,
    url: `${origin}/${id}/`,
    log: async () => (await fetch(`${origin}/log/${id}`)).json() as Promise<Logged[]>,
  }
}

/** Response headers that the page may read. */
export const exposed = (headers: Record<string, string>): Record<string, string> => ({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': Object.keys(headers).join(', '),
  ...headers,
})

/** Response headers that the page may not read. */
export const hidden = (headers: Record<string, string>): Record<string, string> => ({
  'Access-Control-Allow-Origin': '*',
  ...headers,
})

export const ok: ScriptedAnswer = { status: 200 }
