import type { Measured } from './measure.js'

export function goalOf(measured: Measured): string | undefined
export function tableOf(measured: Measured): string
export function page(
  result: {
    date: string
    machine: { cpu: string; cpus: number; node: string }
    comparisons: readonly (Measured & { suite: string })[]
  },
  suites: readonly { name: string; title: string; about?: string }[],
): string
