/**
 * Ports on which something else than a receiver listens; some of it obeys what it finds in an HTTP request.
 * An address that the operator allowed may be called on them all the same (C8).
 */
const otherServices = {
  sql_server: [1433, 1434],
  oracle: [1521, 1522],
  mysql: [3306, 33060],
  postgresql: [5432, 5433, 6432],
  other_databases: [3050, 8086, 8123, 26257, 28015, 50000],
  cassandra: [7000, 7001, 9042, 9160],
  couchdb: [5984],
  elasticsearch: [9200, 9300],
  mongodb: [27017, 27018, 27019],
  graphs: [7474, 7687, 8529],
  redis: [6379, 6380, 16379, 26379],
  memcached: [11211],
  queues: [1883, 2181, 4222, 5671, 5672, 8883, 9092, 11300, 61613, 61616],
  mail: [2525],
  chat_and_calls: [
    1719, 1720, 5060, 5061, 5222, 5269, 6660, 6661, 6662, 6663, 6664, 6665, 6666, 6667, 6668, 6669, 6697,
  ],
  docker: [2375, 2376, 2377],
  etcd: [2379, 2380],
  kubernetes: [6443, 10250, 10255, 10256],
  consul_nomad_vault: [4646, 4647, 4648, 8200, 8300, 8301, 8302, 8500, 8501, 8600],
  files: [2049, 3260, 4045],
  desktops: [1723, 3389, 5900, 5901, 5985, 5986, 6000],
  debuggers: [5005],
}

const PORTS: ReadonlySet<number> = new Set(Object.values(otherServices).flat())

/** Whether a port belongs to a database, a cache, mail, a container API or the like. */
export function isOtherService(port: number): boolean {
  return PORTS.has(port)
}
