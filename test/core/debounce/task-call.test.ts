import { expect, it, vi } from 'vitest'
import { createTaskCall } from '../../../src/core/debounce/task-call.ts'
import { createDeferred, settled, track } from '../shared/promises.ts'

// The rest of what it does is in debounce-async.test.ts.

it('tells once that it is settled, though the run that was stopped ends later', async () => {
  const run = createDeferred<string>()
  const onSettled = vi.fn()
  const call = createTaskCall(() => run.promise, onSettled)
  const end = track(call.start())
  call.stop('superseded')
  call.stop('cancelled')
  expect(onSettled.mock.calls).toEqual([[call]])
  await settled()
  expect(end.state).toBe('pending')
  run.resolve('late')
  await settled()
  expect(end.state).toBe('resolved')
  expect(onSettled).toHaveBeenCalledTimes(1)
  expect(await call.promise).toEqual({ status: 'superseded' })
})

it('does not run once it is stopped', async () => {
  const run = vi.fn()
  const call = createTaskCall(run, () => undefined)
  call.stop('cancelled')
  await call.start()
  expect(run).not.toHaveBeenCalled()
})
