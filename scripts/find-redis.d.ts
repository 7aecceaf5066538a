export function findRedis(): string
