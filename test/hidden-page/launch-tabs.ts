import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** A tab of a window that has several: all but the one in front are hidden. */
export interface Tab {
  /** What an expression comes to in it, or the promise that it answers. */
  evaluate: (expression: string) => Promise<unknown>
  bringToFront: () => Promise<void>
  /** Stops its timers and tasks, as a browser does to tabs that are hidden for long. */
  freeze: () => Promise<void>
  /** Ends its renderer, as a crash does. */
  crash: () => Promise<void>
}

export interface Tabs {
  /** A new tab, in front. */
  open: () => Promise<Tab>
  close: () => Promise<void>
}

interface Answer {
  id?: number
  result?: Record<string, unknown>
  error?: { message: string }
}

/**
 * Chromium, spoken to by its own protocol: Playwright makes every page think that it is in front.
 */
export async function launchTabs(): Promise<Tabs> {
  const executablePath = process.env['CHROMIUM_PATH']
  if (!executablePath) throw new Error('Expected CHROMIUM_PATH to name a Chromium, as npm test makes it do')
  const profile = await mkdtemp(join(tmpdir(), 'lull-tabs-'))
  const args = ['--headless=new', '--no-sandbox', '--no-first-run', '--disable-background-networking']
  const chromium = spawn(
    executablePath,
    [...args, '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const [, , , input, output] = chromium.stdio as unknown as [null, null, null, Writable, Readable]
  const exit = new Promise<void>((resolve) => chromium.once('exit', () => resolve()))
  const waiting = new Map<number, (answer: Answer) => void>()
  let sent = 0
  let received = ''

  output.setEncoding('utf8').on('data', (text: string) => {
    const messages = (received + text).split('\0')
    received = messages.pop()!
    for (const message of messages) {
      const answer = JSON.parse(message) as Answer
      if (answer.id === undefined) continue
      waiting.get(answer.id)?.(answer)
      waiting.delete(answer.id)
    }
  })
  void exit.then(() => {
    for (const answer of waiting.values()) answer({ error: { message: 'Chromium has ended' } })
  })

  function send(method: string, params: object = {}, sessionId?: string): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const id = ++sent
      waiting.set(id, ({ result = {}, error }) =>
        error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result),
      )
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    })
  }

  return {
    async open() {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
      const attached = await send('Target.attachToTarget', { targetId, flatten: true })
      const sessionId = attached['sessionId'] as string
      return {
        async evaluate(expression) {
          const options = { expression, awaitPromise: true, returnByValue: true }
          const { result, exceptionDetails } = await send('Runtime.evaluate', options, sessionId)
          if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
          return (result as { value?: unknown }).value
        },
        async bringToFront() {
          await send('Page.bringToFront', {}, sessionId)
        },
        async freeze() {
          await send('Page.setWebLifecycleState', { state: 'frozen' }, sessionId)
        },
        crash() {
          // A page that has crashed does not reply.
          void send('Page.crash', {}, sessionId).catch(() => undefined)
          return Promise.resolve()
        },
      }
    },
    async close() {
      // It may end before it replies.
      void send('Browser.close').catch(() => undefined)
      await exit
      await rm(profile, { recursive: true, maxRetries: 5 })
    },
  }
}
