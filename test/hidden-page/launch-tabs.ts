import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { packageAlias } from '../../vite.config.ts'
import { chromiumPath } from '../demo/browser.ts'

/** Returns the code of a file with all that it imports, as a classic script. */
export async function bundle(file: URL): Promise<string> {
  const outputs = (await build({
    configFile: false,
    logLevel: 'error',
    resolve: { alias: packageAlias('src') },
    mode: 'development',
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { write: false, lib: { entry: fileURLToPath(file), formats: ['iife'], name: 'code' } },
  })) as Rolldown.RolldownOutput[]
  return outputs[0]!.output[0].code
}

interface Reply {
  id?: number
  result?: Record<string, unknown>
  error?: { message: string }
}

/**
 * Starts Chromium and controls it by the DevTools protocol: with Playwright no page is ever hidden.
 */
export async function launchTabs() {
  const executablePath = chromiumPath()
  const profile = await mkdtemp(join(tmpdir(), 'lull-tabs-'))
  const args = ['--headless=new', '--no-sandbox', '--no-first-run', '--disable-background-networking']
  const chromium = spawn(
    executablePath,
    [...args, '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const [, , , input, output] = chromium.stdio as unknown as [null, null, null, Writable, Readable]
  const exit = new Promise<void>((resolve) => chromium.once('exit', () => resolve()))
  const waiting = new Map<number, (reply: Reply) => void>()
  let sent = 0
  let received = ''

  output.setEncoding('utf8').on('data', (text: string) => {
    const messages = (received + text).split('\0')
    received = messages.pop()!
    for (const message of messages) {
      const reply = JSON.parse(message) as Reply
      if (reply.id === undefined) continue
      waiting.get(reply.id)?.(reply)
      waiting.delete(reply.id)
    }
  })
  void exit.then(() => {
    for (const settle of waiting.values()) settle({ error: { message: 'Chromium has exited' } })
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
    /** Opens a new tab in front. All other tabs are hidden. */
    async open() {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
      const attached = await send('Target.attachToTarget', { targetId, flatten: true })
      const sessionId = attached['sessionId'] as string
      async function evaluate(expression: string): Promise<unknown> {
        const options = { expression, awaitPromise: true, returnByValue: true }
        const { result, exceptionDetails } = await send('Runtime.evaluate', options, sessionId)
        if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
        return (result as { value?: unknown }).value
      }
      /** Resolves when the tab is hidden, which a busy machine does late. */
      const untilHidden = () =>
        evaluate(
          'new Promise((resolve) => document.hidden ? resolve() : document.onvisibilitychange = resolve)',
        )
      return {
        /** Evaluates an expression in the tab. Awaits its value if it is a promise. */
        evaluate,
        untilHidden,
        bringToFront: () => send('Page.bringToFront', {}, sessionId),
        /** Stops its timers and tasks, like a browser does after a long time in the background. */
        async freeze() {
          // Chromium does not freeze a visible tab.
          await untilHidden()
          await send('Page.setWebLifecycleState', { state: 'frozen' }, sessionId)
        },
        close: () => send('Target.closeTarget', { targetId }),
        /** Crashes its renderer. */
        crash() {
          // A page that has crashed does not reply.
          void send('Page.crash', {}, sessionId).catch(() => undefined)
          return Promise.resolve()
        },
      }
    },
    async close() {
      // Chromium may exit before it replies.
      void send('Browser.close').catch(() => undefined)
      await exit
      await rm(profile, { recursive: true, maxRetries: 5 })
    },
  }
}

export type Tabs = Awaited<ReturnType<typeof launchTabs>>
export type Tab = Awaited<ReturnType<Tabs['open']>>
