import type { ReactNode } from 'react'
import classes from './description-list.module.css'

/** The values that React renders as nothing. */
const EMPTY: ReactNode[] = [null, undefined, false, '']

/** Names and values; pairs without a value are left out. */
export function DescriptionList({ of }: { of: [name: string, value: ReactNode][] }) {
  return (
    <dl className={classes.list}>
      {of
        .filter(([, value]) => !EMPTY.includes(value))
        .map(([name, value]) => (
          <Row key={name} name={name}>
            {value}
          </Row>
        ))}
    </dl>
  )
}

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)
