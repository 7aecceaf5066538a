import { createElement } from 'react'

export const metadata = { title: 'lull with Next', icons: 'data:,' }

export default function Layout({ children }) {
  return createElement('html', { lang: 'en' }, createElement('body', null, children))
}
