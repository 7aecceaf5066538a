import assert from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expectDebounced, withPage } from '../open-page.js'

/** `next start` on a free port, until `stop`. */
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

export const next = {
  name: 'next',
  parts: ['app.js'],
  async check({ build, folder }, check) {
    await check('builds', () => build())
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
    })
    await check('the client component takes over, and typing is debounced', () =>
      withPage(url, expectDebounced),
    )
    await check('a route handler limits each user by lull/core', async () => {
      const ask = async (user) => (await fetch(`${url}/api/limit`, { headers: { 'x-user': user } })).status
      const statuses = []
      for (const user of ['ann', 'ann', 'ann', 'bob']) statuses.push(await ask(user))
      assert.deepStrictEqual(statuses, [200, 200, 429, 200])
    })
    await stop()
  },
}
