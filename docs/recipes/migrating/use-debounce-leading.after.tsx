import { useDebounce } from 'lull'

export function Shelf({ book }: { book: string }) {
  const shown = useDebounce(book, 1000, { leading: true })
  return <output>{shown}</output>
}
