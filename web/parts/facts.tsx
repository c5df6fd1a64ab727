import type { ReactNode } from 'react'
import classes from './facts.module.css'

/** Pairs of a name and a value; those without a value are left out. */
export function Facts({ of }: { of: [name: string, value: ReactNode][] }) {
  return (
    <dl className={classes.facts}>
      {of
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <FactRow key={name} name={name}>
            {value}
          </FactRow>
        ))}
    </dl>
  )
}

const FactRow = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)
