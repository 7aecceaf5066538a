import { startServer, type RedisServer } from './server.ts'

const SLOTS = 16_384

/** Starts masters that divide the slots among them. They stop at the end of the file. */
export async function startCluster(size: number): Promise<RedisServer[]> {
  const nodes: RedisServer[] = []
  const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000']
  for (let index = 0; index < size; index++) nodes.push(await startServer(settings, 'file'))
  const admins = nodes.map((node) => node.connect())
  for (const [index, admin] of admins.entries()) {
    const first = Math.floor((index * SLOTS) / size)
    const last = Math.floor(((index + 1) * SLOTS) / size) - 1
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', String(first), String(last))
    await admin.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1))
    await admin.call('CLUSTER', 'MEET', '127.0.0.1', String(nodes[0]!.port))
  }
  // The masters discover each other by gossip, which takes time.
  for (const admin of admins) {
    for (;;) {
      const info = String(await admin.call('CLUSTER', 'INFO'))
      const known = String(await admin.call('CLUSTER', 'NODES')).match(/connected \d/g)?.length
      if (info.includes('cluster_state:ok') && known === size) break
    }
    admin.disconnect()
  }
  return nodes
}
