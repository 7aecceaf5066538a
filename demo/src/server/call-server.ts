/** Calls the API without rate limits. Rejects unless the response is JSON with a status from 200 to 299. */
export async function callServer<Body>(path: string, init?: RequestInit): Promise<Body> {
  const response = await fetch(path, init)
  if (!response.ok) throw new Error(`Expected a successful response, got status ${response.status}`)
  return (await response.json()) as Body
}
