import { BaseSequencer } from 'vitest/node'

/** Runs the files first that have killed the last mutants, then the quick ones: a mutant's run ends at its first failure. */
export class KillersFirst extends BaseSequencer {
  async sort(specs) {
    const { cache, config } = this.ctx
    const known = new Map(
      specs.map((spec) => {
        const path = spec.moduleId.slice(config.root.length + 1)
        return [
          spec,
          cache.getFileTestResults(`${spec.project.name}:${path}`) ?? { failed: false, duration: 0 },
        ]
      }),
    )
    return specs.toSorted((a, b) => {
      const [first, second] = [known.get(a), known.get(b)]
      return Number(second.failed) - Number(first.failed) || first.duration - second.duration
    })
  }
}
