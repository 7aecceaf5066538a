'use client'

export { App } from '../app.js'
