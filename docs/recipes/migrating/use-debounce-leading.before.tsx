import { useDebounce } from 'use-debounce'

export function Shelf({ book }: { book: string }) {
  const [shown] = useDebounce(book, 1000, { leading: true })
  return <output>{shown}</output>
}
