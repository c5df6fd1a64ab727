import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { catalogsOptions } from '../data/catalogs.ts'
import classes from './sidebar.module.css'

/** Links to the account's lists, below Lists. */
export function AccountLists() {
  const { data: catalogs = [] } = useQuery(catalogsOptions)
  if (catalogs.length === 0) return null
  return (
    <ul>
      {catalogs.map(({ id, name }) => (
        <li key={id}>
          <Link
            to="/lists/$catalogId"
            params={{ catalogId: String(id) }}
            className={classes.link}
            title={name}
          >
            <span className={classes.label}>{name}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
