// `lull/core` in a thread: three calls cause one run, and two tokens allow two calls.
import assert from 'node:assert'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const worker = new Worker(
  `import { parentPort } from 'node:worker_threads'
   globalThis.postMessage = (data) => parentPort.postMessage(data)
   await import('./worker.js')`,
  { eval: true, type: 'module' },
)
const [said] = await once(worker, 'message')
assert.strictEqual(said, 'true,true,false three')
assert.deepStrictEqual(await once(worker, 'exit'), [0])
