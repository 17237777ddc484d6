// Checks Kubernetes objects, a JSON array on standard input, against the schemas of the npm package kubernetes-models.
const path = require("path");
const models = process.argv[2];
let failed = 0;
for (const object of JSON.parse(require("fs").readFileSync(0, "utf8"))) {
  const name = `${object.apiVersion}/${object.kind}`;
  try {
    const model = require(path.join(models, "kubernetes-models", name))[object.kind];
    new model(object).validate();
    console.log(`${name}: valid`);
  } catch (error) {
    console.log(`${name}: ${error.message}`);
    failed = 1;
  }
}
process.exit(failed);
