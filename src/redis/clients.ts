import type { RedisScript } from './rules/script.ts'

/**
 * Runs a script once, atomically, with `keys` as `KEYS` and `args` as `ARGV`. Resolves with its reply. It fits any client.
 *
 * Limiters with the same `run` share the refused keys, and whether the server is down.
 */
export type RunScript = (script: RedisScript, keys: string[], args: string[]) => Promise<unknown>

/** What `withIoredis` needs of a client: an ioredis `Redis` or `Cluster`. */
export interface IoredisClient {
  evalsha(sha1: string, numberOfKeys: number, ...keysAndArgs: string[]): Promise<unknown>
  eval(lua: string, numberOfKeys: number, ...keysAndArgs: string[]): Promise<unknown>
}

/** What `withNodeRedis` needs of a client: a client, pool, sentinel or cluster of `redis` (node-redis 5 and later; a client of 4). */
export interface NodeRedisClient {
  evalSha(sha1: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  eval(lua: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

/** What `withUpstash` needs of a client: the `Redis` of `@upstash/redis`. */
export interface UpstashClient {
  evalsha(sha1: string, keys: string[], args: string[]): Promise<unknown>
  eval(lua: string, keys: string[], args: string[]): Promise<unknown>
}

/** What `withGlide` needs of a client: a `GlideClient` or `GlideClusterClient` of `@valkey/valkey-glide`. */
export interface GlideClient {
  customCommand(args: string[]): Promise<unknown>
}

/**
 * Runs `EVALSHA`; if the server does not have the script, runs `EVAL`, which also caches it there. Nothing is loaded beforehand,
 * so this works after a flush, a restart, a failover and on each node of a cluster.
 *
 * @param evalsha the name of the first in the client.
 * @param send sends one of the two, with the SHA-1 or the text.
 */
const bySha =
  <Command extends string>(
    evalsha: Command,
    send: (command: Command | 'eval', script: string, keys: string[], args: string[]) => Promise<unknown>,
  ): RunScript =>
  async ({ lua, sha1 }, keys, args) => {
    try {
      return await send(evalsha, sha1, keys, args)
    } catch (error) {
      // It may follow other words in the message. valkey-glide writes `NoScriptError`.
      if (!/noscript/i.test(String((error as Error | undefined)?.message))) throw error
      return send('eval', lua, keys, args)
    }
  }

/** Runs scripts with a client of ioredis, single or cluster. */
export const withIoredis = (client: IoredisClient): RunScript =>
  bySha('evalsha', (command, script, keys, args) => client[command](script, keys.length, ...keys, ...args))

/** Runs scripts with a client of node-redis, single or cluster. */
export const withNodeRedis = (client: NodeRedisClient): RunScript =>
  bySha('evalSha', (command, script, keys, args) => client[command](script, { keys, arguments: args }))

/** Runs scripts with Upstash's client, over HTTP. */
export const withUpstash = (client: UpstashClient): RunScript =>
  bySha('evalsha', (command, script, keys, args) => client[command](script, keys, args))

/** Runs scripts with a client of valkey-glide, single or cluster. */
export const withGlide = (client: GlideClient): RunScript =>
  bySha('evalsha', (command, script, keys, args) =>
    client.customCommand([command.toUpperCase(), script, String(keys.length), ...keys, ...args]),
  )
