// The two that React Native itself puts in place, of the versions that it takes.
import { AbortController, AbortSignal } from 'abort-controller/dist/abort-controller'
import { Headers, Request, Response } from 'whatwg-fetch'

Object.assign(globalThis, { AbortController, AbortSignal, Headers, Request, Response })
