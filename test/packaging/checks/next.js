import assert from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectDebounced, untilHydrated, withPage } from '../open-page.js'

/** Runs `next start` on a free port until `stop`. */
async function start(folder) {
  const child = spawn(
    process.execPath,
    [join(folder, 'node_modules/next/dist/bin/next'), 'start', '--port', '0', '--hostname', '127.0.0.1'],
    {
      cwd: folder,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const url = await new Promise((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (part) => {
      said += part
      const found = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(said)
      if (found) resolve(found[0])
    })
    child.once('exit', () => reject(new Error(said)))
  })
  const stop = () => {
    child.kill()
    return once(child, 'exit')
  }
  return { url, stop }
}

const askers = ['page-shared', 'page-own', 'provider-shared', 'provider-own']
const idle = '0 in flight, open: true, 0 s'

/** Clicks once for each of the fetches, and checks the responses. */
async function expectFetched(page) {
  for (const name of askers) {
    await untilHydrated(page, `button:has(+ #${name})`)
    await page.getByRole('button', { name: `Ask as ${name}`, exact: true }).click()
    await page.locator(`#${name}`).getByText('200', { exact: true }).waitFor()
    assert.strictEqual(await page.locator(`#${name}-gate`).textContent(), idle)
  }
}

/** Checks what the page of all hooks shows at first, and a second after a click. */
async function expectShown(page) {
  const output = page.locator('#shown')
  await untilHydrated(page, 'button')
  assert.strictEqual(await output.textContent(), ',,,idle,false,0,false,0,0')
  await page.getByRole('button', { name: 'Go' }).click()
  await page.clock.runFor(1000)
  const last = 'value,value,state,success,false,1,true,1,0,200,a,b,debounced,event,one,resize,three,timer'
  await output.getByText(last, { exact: true }).waitFor({ timeout: 10_000 })
}

export const next = {
  name: 'next',
  parts: ['app.js'],
  async check({ build, folder }, check) {
    await check('builds, where no component may read a clock while it is rendered', () => build())
    let server
    const isUp = await check('starts', async () => {
      server = await start(folder)
    })
    if (!isUp) return
    const { url, stop } = server
    await check('a server component uses the core, and the client component is rendered', async () => {
      const html = await (await fetch(url)).text()
      assert.match(html, /<p id="server">10 a second<\/p>/)
      assert.match(html, /<output id="pending">false<\/output>/)
      for (const name of askers) assert.match(html, new RegExp(`<output id="${name}-gate">${idle}</output>`))
    })
    await check('the client component hydrates, and typing is debounced', () =>
      withPage(url, expectDebounced),
    )
    await check(
      'the fetches of the page, a component and a provider are sent, and their state is shown',
      () => withPage(url, expectFetched),
    )
    await check('client components use the provider of their server component', () =>
      withPage(url, async (page) => {
        await page.waitForFunction(() => globalThis.found?.inside && globalThis.found.outside)
        assert.ok(await page.evaluate(() => globalThis.found.inside !== globalThis.found.outside))
      }),
    )
    await check('a page calls every hook, and each does its work', async () => {
      const types = readFileSync(join(folder, 'node_modules/lull/dist/react/index.d.cts'), 'utf8')
      const code = readFileSync(join(folder, 'app/hooks/page.js'), 'utf8')
      const hooks = new Set(types.match(/\buse[A-Z]\w*(?=[,\s}])/g))
      assert.ok(hooks.size > 0)
      assert.deepStrictEqual(
        [...hooks].filter((hook) => !code.includes(`${hook}(`)),
        [],
      )
      await withPage(`${url}/hooks`, expectShown)
    })
    for (const [what, path] of [
      ['a route handler', '/api/limit'],
      ['the proxy', '/api/open'],
    ]) {
      await check(`${what} limits each user by a keyed limiter`, async () => {
        const ask = async (user) => (await fetch(url + path, { headers: { 'x-user': user } })).status
        const statuses = []
        for (const user of ['ann', 'ann', 'ann', 'bob']) statuses.push(await ask(user))
        assert.deepStrictEqual(statuses, [200, 200, 429, 200])
      })
    }
    await stop()
  },
}
