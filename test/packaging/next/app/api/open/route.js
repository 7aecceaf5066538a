/** Limited only by the proxy. */
export const GET = () => new Response('served')
