/** A setting: its default, and how a link encodes it. */
export interface Field<Value> {
  readonly initial: Value
  /** Returns undefined for an invalid value; links are untrusted input. */
  readonly read: (text: string) => Value | undefined
  readonly write: (value: Value) => string
}

/** The range of a slider. */
export interface Range {
  readonly min: number
  readonly max: number
  readonly step: number
}

export interface NumberField extends Field<number> {
  readonly range: Range
}

/** A number in `range`. */
export function numberField(initial: number, range: Range): NumberField {
  return {
    initial,
    range,
    read(text) {
      const value = Number(text)
      return text.trim() !== '' && value >= range.min && value <= range.max ? value : undefined
    },
    write: String,
  }
}

/** A number in `range`, or Infinity, which means no bound. */
export function boundField(initial: number, range: Range): NumberField {
  const number = numberField(initial, range)
  return { ...number, read: (text) => (text === 'none' ? Infinity : number.read(text)), write: writeBound }
}

const writeBound = (value: number): string => (value === Infinity ? 'none' : String(value))

export function choiceField<Choice extends string | number>(
  initial: Choice,
  choices: readonly Choice[],
): Field<Choice> {
  return {
    initial,
    read: (text) => choices.find((choice) => String(choice) === text),
    write: String,
  }
}

export function flagField(initial: boolean): Field<boolean> {
  return {
    initial,
    read: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
    write: (value) => (value ? 'on' : 'off'),
  }
}
