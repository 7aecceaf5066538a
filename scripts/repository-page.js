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
