import { useId, type ReactNode } from 'react'
import { CopyButton } from '../controls/copy-button.tsx'
import { useSettingsStore } from '../settings/settings-provider.tsx'
import { RealTime } from '../time/real-time.tsx'

interface LiveCodeProps {
  /** The id of the section that the link opens. */
  panel: string
  title: string
  code: string
  /** The code for the default settings. Differences from it are highlighted. */
  initial: string
}

/** The code of a panel with its current settings. */
export function LiveCode({ panel, title, code, initial }: LiveCodeProps): ReactNode {
  const id = useId()
  const store = useSettingsStore()
  return (
    <div className="code">
      <div className="code-head">
        <h2 id={id}>{title}</h2>
        <RealTime>
          <span className="code-buttons">
            <CopyButton
              label="Copy code"
              description={`Copy code: ${title}`}
              read={() => code}
              onFailure="Cannot copy"
            />
            <CopyButton
              label="Copy link"
              description={`Copy link: ${title}`}
              read={() => store.link(panel)}
              onFailure="Cannot copy"
            />
          </span>
        </RealTime>
      </div>
      <pre tabIndex={0} role="region" aria-labelledby={id}>
        <code>
          {code.split('\n').map((line, index) => {
            const [before, changed, after] = changeIn(line, initial.split('\n'))
            return (
              <span key={index}>
                {before}
                {changed && <mark>{changed}</mark>}
                {after}
                {'\n'}
              </span>
            )
          })}
        </code>
      </pre>
    </div>
  )
}

/** Splits `line` into three parts; the middle part differs from the most similar line of `others`. */
export function changeIn(line: string, others: readonly string[]): readonly [string, string, string] {
  if (others.includes(line)) return [line, '', '']
  const shared = others.map((other) => sharedStart(line, other))
  const start = Math.max(...shared)
  const other = others[shared.indexOf(start)]!
  const reversed = (text: string) => Array.from(text.slice(start)).reverse().join('')
  const end = line.length - sharedStart(reversed(line), reversed(other))
  return [line.slice(0, start), line.slice(start, end), line.slice(end)]
}

/** The length of the common prefix, without a partial word or number at its end. */
function sharedStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  while (length > 0 && /\w/.test(a[length - 1]!) && /\w/.test((a[length] ?? ' ') + (b[length] ?? ' ')))
    length--
  return length
}
