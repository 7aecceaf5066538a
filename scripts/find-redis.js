import { findProgram } from './find-program.js'

/** Returns the path of a Redis or Valkey server. */
export const findRedis = () =>
  findProgram({
    title: 'Redis',
    variable: 'REDIS_SERVER_PATH',
    names: ['redis-server', 'valkey-server'],
    debianPackage: 'redis-server',
  })
