import { inject } from 'vitest'
import type { Logged, Script, ScriptedAnswer } from './browser-servers.ts'

/** Makes a path on one of the two origins, with its own response script. */
export async function script(which: 0 | 1, answers: Script['answers'], preflights?: Script['preflights']) {
  const origin = inject('origins')[which]
  const id = crypto.randomUUID()
  await fetch(`${origin}/script/${id}`, { method: 'POST', body: JSON.stringify({ answers, preflights }) })
  const log = async () => (await fetch(`${origin}/log/${id}`)).json() as Promise<Logged[]>
  return { origin, url: `${origin}/${id}/`, log }
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
