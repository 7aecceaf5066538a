/** Limited by the proxy alone. */
export const GET = () => new Response('served')
