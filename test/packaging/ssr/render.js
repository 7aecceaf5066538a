// Renders the page in plain Node and writes it beside the bundle that hydrates it.
import { writeFileSync } from 'node:fs'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { App } from './app.js'

writeFileSync(
  'index.html',
  `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><link rel="icon" href="data:,"><title>lull on a server</title></head>
  <body>
    <div id="root">${renderToString(createElement(App))}</div>
    <script type="module" src="/dist/client.js"></script>
  </body>
</html>
`,
)
