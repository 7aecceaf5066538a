import type { DefaultTheme } from 'vitepress'

type Search = Extract<NonNullable<DefaultTheme.Config['search']>, { provider: 'local' }>

/** What programs wrote: their tables would be found for every word. */
const isMeasured = (path: string): boolean => path.startsWith('results/')

/** Of a page of the reference what comes before its parts: 3,000 headings such as "Returns" were most of the index. */
const indexed = (path: string, source: string): string =>
  path.startsWith('api/') ? source.split(/^## /m)[0]! : source

/** VitePress sends the functions of `miniSearch` to the browser as text: they use nothing from outside. */
export const search: Search = {
  provider: 'local',
  options: {
    _render: (source, env, md) =>
      isMeasured(env.relativePath) ? '' : md.render(indexed(env.relativePath, source), env),
    miniSearch: {
      options: {
        // `useDebounce` and `p-queue` are found as a whole and by their words.
        tokenize: (text) =>
          text
            .split(/(?:[\n\r\p{Z}]|(?!-)\p{P})+/u)
            .flatMap((word) => [word, ...(/[a-z][A-Z]|-/.test(word) ? word.split(/-|(?=[A-Z])/) : [])]),
      },
      searchOptions: {
        // Hooks before functions, both before the reference; guides before the tables of migration, unless
        // the library itself is searched.
        boostDocument: (id: string, term: string) =>
          /^\/api\//.test(id)
            ? 0.2
            : /^\/migrating\//.test(id)
              ? id.startsWith(`/migrating/${term}#`)
                ? 2
                : 0.4
              : /^\/functions\/use-|^\/guides\//.test(id)
                ? 2
                : 1,
      },
    },
  },
}
