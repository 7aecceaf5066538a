import { inject } from 'vitest'
import type { Logged, Script, ScriptedAnswer } from './browser-servers.ts'

/** A place on one of the two servers that answers by a script of its own. */
export interface Place {
  origin: string
  url: string
  /** What has come there. */
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

/** Headers that the page may read of an answer. */
export const exposed = (headers: Record<string, string>): Record<string, string> => ({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': Object.keys(headers).join(', '),
  ...headers,
})

/** Headers that come along but that the page may not read. */
export const hidden = (headers: Record<string, string>): Record<string, string> => ({
  'Access-Control-Allow-Origin': '*',
  ...headers,
})

export const ok: ScriptedAnswer = { status: 200 }
