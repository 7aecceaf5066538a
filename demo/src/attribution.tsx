import type { ReactNode } from 'react'
import type { AboutResponse } from '../server/api.ts'

export function Attribution({ about }: { about: AboutResponse | undefined }): ReactNode {
  return (
    <footer>
      {about && (
        <p>
          Cities © <a href={about.sourceUrl}>{about.source}</a>,{' '}
          <a href={about.licenseUrl}>{about.license}</a>.
        </p>
      )}
    </footer>
  )
}
