import { useEffect, useState } from 'react'

/** The clock in Unix seconds, read again every `period` seconds. */
export function useNow(period = 1): number {
  const [now, setNow] = useState(() => Math.floor(Date.now() / 1000))
  useEffect(() => {
    const timer = setInterval(() => setNow(Math.floor(Date.now() / 1000)), period * 1000)
    return () => clearInterval(timer)
  }, [period])
  return now
}

/** Whole seconds as minutes and seconds: 1200 is 20:00. */
export const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
