// The two polyfills that React Native itself installs, in the versions it uses.
import { AbortController, AbortSignal } from 'abort-controller/dist/abort-controller'
import { Headers, Request, Response } from 'whatwg-fetch'

Object.assign(globalThis, { AbortController, AbortSignal, Headers, Request, Response })
