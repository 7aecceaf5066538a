import { useEffect, useState } from 'react'
import type { NoteAnswer } from '../../../server/api.ts'
import { callServer } from '../../server/call-server.ts'

interface Note {
  text: string
  /** Greater with each edit, and than that of any note before. */
  revision: number
}

export interface KeptNote {
  /** As the server had it when the page was opened; undefined until it has said so. */
  kept: NoteAnswer | undefined
  note: Note
  /** Answers the note that it has become. */
  edit: (text: string) => Note
}

/** The note at `url`, and what is written over it. */
export function useNote(url: string): KeptNote {
  const [kept, setKept] = useState<NoteAnswer>()
  const [edited, setEdited] = useState<Note>()
  const note = edited ?? kept ?? { text: '', revision: 0 }

  useEffect(() => {
    const life = new AbortController()
    callServer<NoteAnswer>(url, { signal: life.signal }).then(setKept, () => {
      // Nothing was kept, as far as one can tell: saving will say what is wrong.
      if (!life.signal.aborted) setKept({ text: '', revision: 0, ageMs: null })
    })
    return () => life.abort()
  }, [url])

  return {
    kept,
    note,
    edit(text) {
      const next = { text, revision: note.revision + 1 }
      setEdited(next)
      return next
    },
  }
}
