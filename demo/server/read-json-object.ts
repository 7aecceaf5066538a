import type { HonoRequest } from 'hono'
import { badRequest } from './bad-request.ts'

/** The body of `request`. Throws an `HTTPException` (400) unless it is a JSON object. */
export async function readJsonObject(request: HonoRequest): Promise<Record<string, unknown>> {
  let body: unknown
  try {
    body = JSON.parse(await request.text())
  } catch {
    throw badRequest('Expected a JSON object, got a body that is not JSON')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest('Expected a JSON object, got another JSON value')
  }
  return body as Record<string, unknown>
}
