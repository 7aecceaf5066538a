import { createElement, useEffect } from 'react'
import { create } from 'react-test-renderer'
import * as hooks from 'lull'

globalThis.react = { create, createElement, hooks, useEffect }
