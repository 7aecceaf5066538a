// Writes the README for packing. npm shows it without the other files of the repository, so relative links
// and pictures become absolute, by `repository` in package.json; without it they are removed. `prepack`
// replaces the README; `postpack` restores it by `--restore`.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryPage } from './repository-page.js'

const isRelative = (target) => !/^(#|[a-z][a-z\d+.-]*:)/i.test(target)

/** A link or, after `!`, a picture. A link may contain a picture. */
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
      // A list of links, and sentences that are only a link.
      .replaceAll(/^## Documentation\n[\s\S]*?(?=^## )/gm, '')
      .replaceAll(/(?<=^|[.:] )\[[^\]]*\]\(([^\s):]+)\)(\.(?= )|\.?$)[ ]?/gm, (whole, target) =>
        isRelative(target) && !target.startsWith('#') ? '' : whole,
      )
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

  // Code blocks are not changed.
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
  // Left by an interrupted packing, unless the README has been edited since.
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
