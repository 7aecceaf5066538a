export function startRedis(): Promise<{ port: number; kill: () => void }>
