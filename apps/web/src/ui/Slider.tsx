import type { InputHTMLAttributes } from 'react'
import { classes } from './classes.ts'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'value' | 'onChange'> & {
  value: number
  onValue: (value: number) => void
  min: number
  max: number
  /** What the value means, in words: read out in place of the number. */
  said: string
}

/** A range to slide along: as tall as a finger, one step a key. */
export function Slider({ value, onValue, said, className, step = 1, ...rest }: Props) {
  return (
    <input
      {...rest}
      type="range"
      step={step}
      value={value}
      aria-valuetext={said}
      onChange={(event) => onValue(event.target.valueAsNumber)}
      className={classes('h-11 w-full min-w-0 cursor-pointer accent-(--accent)', className)}
    />
  )
}
