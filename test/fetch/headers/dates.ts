export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A day, which need not exist, and a time, as the three forms of RFC 9110 write them. */
export interface Written {
  weekday: string
  day: number
  month: string
  year: number
  time: string
}

export const digits = (number: number, length: number, fill = '0'): string =>
  String(number).padStart(length, fill)

export function writtenOf(ms: number): Written {
  const date = new Date(ms)
  return {
    weekday: weekdays[date.getUTCDay()]!,
    day: date.getUTCDate(),
    month: months[date.getUTCMonth()]!,
    year: date.getUTCFullYear(),
    time: date.toISOString().slice(-13, -5),
  }
}

export const imfFixdate = ({ weekday, day, month, year, time }: Written): string =>
  `${weekday.slice(0, 3)}, ${digits(day, 2)} ${month} ${digits(year, 4)} ${time} GMT`
export const rfc850Date = ({ weekday, day, month, year, time }: Written): string =>
  `${weekday}, ${digits(day, 2)}-${month}-${digits(year % 100, 2)} ${time} GMT`
export const asctimeDate = ({ weekday, day, month, year, time }: Written, fill = ' '): string =>
  `${weekday.slice(0, 3)} ${month} ${digits(day, 2, fill)} ${time} ${digits(year, 4)}`
