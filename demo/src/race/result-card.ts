import { finishedWords } from './lane-view.tsx'
import { countsOf, type LaneState } from './race-lane.ts'
import type { RaceState } from './race.ts'
import { runnerNames } from './runners.ts'

const link = () => `${location.origin}${location.pathname}#race`

function laneWords(lane: LaneState): string {
  const { requests, refused, intoPause, answered, cancelled } = countsOf(lane)
  return `${requests} requests, ${refused} refused, ${intoPause} of them in a pause, ${answered} succeeded, ${cancelled} cancelled, finished after ${finishedWords(lane)}`
}

/** The result as text. */
export function cardText({ lanes }: RaceState): string {
  return [
    `${lanes[1].keystrokes.length} keystrokes, the same server and the same limit for each:`,
    ...lanes.map((lane) => `${runnerNames[lane.runner]}: ${laneWords(lane)}`),
    'lull waits as long as the server says: npm i lull',
    link(),
  ].join('\n')
}

const WIDTH = 1200
const HEIGHT = 630

/** The result as a picture. */
export function cardPicture({ lanes }: RaceState): Promise<Blob> {
  const element = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT })
  const canvas = element.getContext('2d')!
  const font = (size: number, weight = 400) => (canvas.font = `${weight} ${size}px system-ui, sans-serif`)
  canvas.fillStyle = '#0e151c'
  canvas.fillRect(0, 0, WIDTH, HEIGHT)
  canvas.fillStyle = '#e7eef4'
  font(44, 700)
  canvas.fillText(`${lanes[1].keystrokes.length} keystrokes, the same limit for each`, 60, 100)
  lanes.forEach((lane, index) => {
    const { requests, refused, intoPause } = countsOf(lane)
    const left = 60 + index * 560
    canvas.fillStyle = index === 1 ? '#63c6dc' : '#a3b3c1'
    font(40, 650)
    canvas.fillText(runnerNames[lane.runner], left, 190)
    const rows = [
      [requests, 'requests'],
      [refused, 'refused'],
      [intoPause, 'refused in a pause'],
      [finishedWords(lane), 'finished after'],
    ] as const
    rows.forEach(([value, words], row) => {
      canvas.fillStyle = (row === 1 || row === 2) && Number(value) > 0 ? '#ff9557' : '#e7eef4'
      font(56, 700)
      canvas.fillText(String(value), left, 270 + row * 80)
      font(26)
      canvas.fillText(words, left + 220, 270 + row * 80)
    })
  })
  canvas.fillStyle = '#a3b3c1'
  font(24)
  canvas.fillText(`lull · ${link()}`, 60, 590)
  return new Promise((resolve, reject) =>
    element.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture')))),
  )
}
