import { useEffect, useState } from 'react'

/** Returns the current Unix seconds, updated every `period` seconds. */
export function useNow(period = 1): number {
  const [now, setNow] = useState(() => Math.floor(Date.now() / 1000))
  useEffect(() => {
    const timer = setInterval(() => setNow(Math.floor(Date.now() / 1000)), period * 1000)
    return () => clearInterval(timer)
  }, [period])
  return now
}

/** Formats seconds as minutes and seconds: 1200 is 20:00. */
export const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
