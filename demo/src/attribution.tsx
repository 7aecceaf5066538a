import type { ReactNode } from 'react'
import type { AboutAnswer } from '../server/api.ts'

export function Attribution({ about }: { about: AboutAnswer | undefined }): ReactNode {
  return (
    <footer>
      {about && (
        <p>
          {about.attribution}. <a href={about.sourceUrl}>{about.source}</a>.{' '}
          <a href={about.licenseUrl}>The licence, {about.license}</a>.
        </p>
      )}
    </footer>
  )
}
