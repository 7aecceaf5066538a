import { HTTPException } from 'hono/http-exception'

/** The error for a request that the API does not accept: the response has the status 400 and `message`. */
export const badRequest = (message: string) => new HTTPException(400, { message })
