// A page for each hook, rendered when the site is built.
import { createElement } from 'react'
import { names } from '../names.js'
import { HookPage } from '../pages.js'

export const generateStaticParams = () => names.map((hook) => ({ hook }))

export default async function Page({ params }) {
  const { hook } = await params
  return createElement(HookPage, { hook })
}
