// The README as it is packed. npm shows it on a page beside which there is no other file of the repository: so its relative links
// and pictures become absolute, from `repository` in package.json. Without one they are left out. As `prepack` it takes the place
// of the README; `--restore`, which is `postpack`, puts that back.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the page of `repository`, as package.json names it; undefined if it names none. */
export function repositoryPage(repository) {
  const url = typeof repository === 'string' ? repository : repository?.url
  if (!url) return undefined
  const page = url
    .replace(/^(git\+)?(ssh|git|https?):\/\/(git@)?/, 'https://')
    .replace(/^git@([^:]+):/, 'https://$1/')
    .replace(/^(github:)?(?=[\w.-]+\/[\w.-]+$)/, 'https://github.com/')
    .replace(/(\.git)?\/?$/, '')
  if (!page.startsWith('https://')) throw new Error(`repository: expected a URL or owner/name, got ${url}`)
  return page
}

const isRelative = (target) => !/^(#|[a-z][a-z\d+.-]*:)/i.test(target)

/** A link or, after `!`, a picture. What is linked may be a picture. */
const link = /(!?)\[((?:[^[\]]|!?\[[^\]]*\](?:\([^)]*\))?)*)\]\(([^\s)]+)([^)]*)\)/g

/** Returns `text` with its relative links and pictures below `page`, or without them if there is none. */
export function packedReadme(text, page) {
  const below = (kind, target) =>
    isRelative(target) ? `${page}/${kind}/HEAD/${target.replace(/^\.?\//, '')}` : target

  const absolute = (markdown) =>
    markdown
      .replaceAll(/\b(href|src|srcset)="([^"]+)"/g, (_, name, value) =>
        name === 'srcset'
          ? `srcset="${value
              .split(/,\s*/)
              .map((target) => below('raw', target))
              .join(', ')}"`
          : `${name}="${below(name === 'src' ? 'raw' : 'blob', value)}"`,
      )
      .replaceAll(link, (_, mark, label, target, title) => {
        const inner = mark ? label : absolute(label)
        return `${mark}[${inner}](${below(mark ? 'raw' : 'blob', target)}${title})`
      })

  const without = (markdown) =>
    markdown
      .replaceAll(/(<picture>[\s\S]*?<\/picture>|<img\b[^>]*>)\n*/g, (picture) =>
        isRelative(/\bsrc="([^"]+)"/.exec(picture)[1]) ? '' : picture,
      )
      .replaceAll(/<a\b[^>]*?\bhref="([^"]+)"[^>]*>([\s\S]*?)<\/a>/g, (whole, target, label) =>
        isRelative(target) ? label : whole,
      )
      .replaceAll(link, (whole, mark, label, target, title) => {
        if (mark) return isRelative(target) ? '' : whole
        return isRelative(target) ? without(label) : `[${without(label)}](${target}${title})`
      })

  // Code stays as it is.
  const parts = text.split(/(^```[\s\S]*?^```$)/m)
  return parts.map((part, index) => (index % 2 ? part : page ? absolute(part) : without(part))).join('')
}

function main() {
  const root = join(import.meta.dirname, '..')
  const [readme, original] = ['README.md', '.README.original.md'].map((name) => join(root, name))
  if (process.argv.includes('--restore')) {
    if (existsSync(original)) renameSync(original, readme)
    return
  }
  const page = repositoryPage(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).repository)
  // Left by a packing that was interrupted, unless the README was written anew since.
  if (
    existsSync(original) &&
    packedReadme(readFileSync(original, 'utf8'), page) === readFileSync(readme, 'utf8')
  )
    renameSync(original, readme)
  rmSync(original, { force: true })
  if (!page)
    console.warn('package.json names no repository: the packed README has no relative links and no pictures.')
  const text = readFileSync(readme, 'utf8')
  writeFileSync(original, text)
  writeFileSync(readme, packedReadme(text, page))
}

if (process.argv[1] === import.meta.filename) main()
