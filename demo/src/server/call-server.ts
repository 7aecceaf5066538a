/** Calls what is not limited, past the paced fetch. Rejects unless the answer is JSON with a status from 200 to 299. */
export async function callServer<Answer>(path: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(path, init)
  if (!response.ok) throw new Error(`Expected a good answer, got status ${response.status}`)
  return (await response.json()) as Answer
}
