import type { TestProject } from 'vitest/node'
import { findRedis } from '../../../scripts/find-redis.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of a Redis or Valkey server. */
    redisServer: string
  }
}

export default function setup(project: TestProject): void {
  project.provide('redisServer', findRedis())
}
