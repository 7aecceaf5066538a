import fc from 'fast-check'
import { useDebounce, useThrottle, type Commit } from 'lull'
import { maxWaits, waits } from '../parts/debounce.ts'
import { createHeldModel, type Call, type Timing } from '../parts/held-model.ts'
import { definePart, steps, type ChaosPart } from '../part.ts'
import { around, createStage, createSwitch } from './stage.tsx'

type Hook = 'useDebounce' | 'useThrottle'
type Step =
  | { do: 'next' | 'back' | 'conceal' | 'show' | 'blink' | 'hold' | 'release' }
  | { do: 'configure'; wait: number; maxWait: number; leading: boolean; isOtherCommit: boolean }

interface Options {
  wait: number
  maxWait: number
  leading: boolean
  isStrict: boolean
}

interface Props extends Options {
  value: number
  commit: Commit
}

const step = steps<Step>({
  next: 20,
  back: 3,
  'conceal show blink hold release': 8,
  configure: [3, { wait: waits, maxWait: maxWaits, leading: fc.boolean(), isOtherCommit: fc.boolean() }],
})

const callOf = (n: number): Call => ({ n, hasRun: false, inside: 'nothing', throws: false })

function define(hook: Hook): ChaosPart {
  return definePart<Options, Step>({
    name: hook,
    around,
    options: fc.record({ wait: waits, maxWait: maxWaits, leading: fc.boolean(), isStrict: fc.boolean() }),
    step,
    begin(world, options) {
      const { clock, claim } = world
      const condition = createSwitch()
      let props: Props = { ...options, value: 0, commit: createCommit() }
      let isShown = true
      let isAway = false
      let shown = 0
      let newest = callOf(0)
      let values = 0

      const timing = (): Timing => {
        const { wait, leading, maxWait } = props
        return isAway || condition.isOn()
          ? { wait: Infinity, maxWait: Infinity, leading: false, trailing: true }
          : { wait, leading, trailing: true, maxWait: hook === 'useThrottle' ? wait : maxWait }
      }
      const model = createHeldModel(world, timing)

      function createCommit(): Commit {
        return function commit(set) {
          claim(commit === props.commit, 'set by another commit than the last')
          model.running(newest, set)
          shown = newest.n
        }
      }

      const stage = createStage(
        clock,
        options.isStrict,
        ({ value, wait, maxWait, leading, commit }: Props) => {
          const rest = { leading, holdWhile: condition, commit }
          return hook === 'useThrottle'
            ? useThrottle(value, wait, rest)
            : useDebounce(value, wait, { ...rest, maxWait })
        },
        props,
      )

      function update(changes: Partial<Props>): void {
        props = { ...props, ...changes }
        isShown = true
        const { value } = props
        if (value === (model.held ? newest.n : shown)) return stage.show(props)
        newest = callOf(value)
        model.calling(newest, () => stage.show(props))
        // A commit of the value that is shown has no effect.
        if (value === shown) model.drop()
      }

      /** Nothing is lost, but all earlier calls then count as one burst. */
      function blink(): void {
        if (!isShown) return
        isAway = true
        model.check(!!model.held)
        isAway = false
        stage.hide()
        stage.show(props)
      }

      return {
        act(step) {
          if (step.do === 'next') update({ value: ++values })
          else if (step.do === 'back') update({ value: shown })
          else if (step.do === 'show') update({})
          else if (step.do === 'configure') {
            const { wait, maxWait, leading, isOtherCommit } = step
            update({ wait, maxWait, leading, ...(isOtherCommit && { commit: createCommit() }) })
          } else if (step.do === 'conceal') {
            stage.hide()
            isShown = false
            model.reset()
          } else if (step.do === 'blink') blink()
          else condition.set(step.do === 'hold')
        },
        check() {
          model.check(!!model.held)
          claim(stage.result === shown, 'shows another value', stage.result, shown)
          if (isShown && !model.held) claim(shown === props.value, 'lost a value', shown, props.value)
          claim(clock.pending <= 1, 'has several timers')
        },
        end() {
          condition.set(false)
          update({ wait: 20 })
        },
        close: stage.unmount,
      }
    },
  })
}

export const values: ChaosPart[] = [define('useDebounce'), define('useThrottle')]
